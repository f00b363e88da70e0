/**
 * The message if a browser made or used no passkey because the page has another host name than passkeys here belong
 * to: the domain itself or a subdomain of it is needed (Web Authentication Level 3, section 5.1.3, step 8).
 */
export function otherHost(rpId: string | undefined): string | undefined {
  const { hostname } = location
  if (rpId === undefined || hostname === rpId || hostname.endsWith(`.${rpId}`)) return undefined
  return `Passkeys work at ${rpId} only. Open the studio there.`
}
