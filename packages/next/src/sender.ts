/** The visitor as Tilth sees one that asks it directly. */
export interface Sender {
  address: string
  userAgent: string
  language: string
  optedOut: boolean
}

interface ReadableHeaders {
  get: (name: string) => string | null | undefined
}

export const senderOf = (headers: ReadableHeaders, trustedProxies: number): Sender => ({
  address: addressOf(headers, trustedProxies),
  userAgent: headers.get('user-agent') ?? '',
  language: headers.get('accept-language') ?? '',
  optedOut: headers.get('dnt') === '1' || headers.get('sec-gpc') === '1',
})

/** Each proxy adds the address that it saw; what stands before those is the client's own word. */
function addressOf(headers: ReadableHeaders, trustedProxies: number): string {
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return hops.at(-Math.min(Math.max(trustedProxies, 1), hops.length)) ?? ''
}
