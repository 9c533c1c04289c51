export default {
  fetch() {
    return new Response("no application deployed yet\n", { status: 503, headers: { "retry-after": "30" } });
  },
};
