/**
 * The origin at which a project's site can be opened before it has a domain: its slug below the host of all previews.
 * Undefined if previews have no host.
 */
export function previewOrigin(slug: string, previews: string | undefined): string | undefined {
  if (previews === undefined) return undefined
  const { protocol, host } = new URL(previews)
  return `${protocol}//${slug}.${host}`
}

/** Browsers take every name below "localhost" for this machine, so previews need no setting there. */
export const localPreviews = (addresses: readonly string[]): string | undefined =>
  addresses.find((address) => new URL(address).hostname === 'localhost')
