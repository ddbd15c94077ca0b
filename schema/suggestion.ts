const CONTROL = /\p{Cc}/u;

/** An address as `did_you_mean` may name it: null with a control character, which RFC 6531 allows and clients refuse. */
export function suggestion(address: string): string | null {
  return CONTROL.test(address) ? null : address;
}
