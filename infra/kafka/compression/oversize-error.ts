/** More comes out of compressed bytes than may. */
export class OversizeError extends Error {}
