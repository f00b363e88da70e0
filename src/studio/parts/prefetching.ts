/**
 * Pages that the store answers alone, below the address of a project. A link to one of them is fetched with everything
 * it shows as soon as a person means to follow it. Other pages ask the engine, which is too much for a pointer at rest.
 */
const storeOnlyPages: readonly RegExp[] = [
  /^alerts(?:\/reports)?$/,
  /^connect$/,
  /^dashboards$/,
  /^flags(?:\/[^/]+(?:\/code|\/history)?)?$/,
  /^insights$/,
  /^people\/cohorts$/,
  /^posts\/(?:new|authors|redirects|site|comments)$/,
  /^settings(?:\/(?!system)[a-z]+)?$/,
  /^sql$/,
  /^surveys(?:\/new)?$/,
  /^web\/goals$/,
]

/** Whether a link to this address is fetched before it is followed. */
export function isCheapToPrefetch(address: string): boolean {
  const [, page] = /^\/studio\/[^/?#]+\/([^?#]+)/.exec(address) ?? []
  return page !== undefined && storeOnlyPages.some((pattern) => pattern.test(page))
}
