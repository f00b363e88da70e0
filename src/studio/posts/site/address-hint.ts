/** The address at which a project's site is, and whether a browser that opens it sees this site. */
export interface SiteAddress {
  /** '' without one. */
  origin: string
  isOpenable: boolean
}

/** Says where the site is while it has no URL of its own. */
export function addressHint({ origin, isOpenable }: SiteAddress, url: string): string {
  const hint = 'The site is served at this host. Point its domain here first.'
  if (origin === '' || url !== '') return hint
  return isOpenable
    ? `${hint} Until then the site is at ${origin}.`
    : `${hint} Until then visitors cannot open it: ${origin} shows another project’s site. Members preview it by “View site”.`
}
