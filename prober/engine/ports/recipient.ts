/** A parsed address: local part and domain as they go on the wire. */
export type Recipient = { readonly local: string; readonly domain: string };
