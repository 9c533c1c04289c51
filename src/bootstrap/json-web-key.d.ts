// @azure/msal-common names a type of the browser's library that Node has under another name. Types are
// checked in packages too, and the browser's library would let window and document into our own code.
type JsonWebKey = import('node:crypto').JsonWebKey;
