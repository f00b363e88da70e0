/** Short by default, so that a start does not seem to hang. `connect_timeout` in the address is libpq's, in seconds. */
export function connectTimeoutMs(url: string): number {
  const seconds = Number(URL.parse(url)?.searchParams.get('connect_timeout'))
  return seconds > 0 ? seconds * 1000 : 5000
}
