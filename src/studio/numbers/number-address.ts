const behindAddress = /^\/studio\/([^/?#]+)\/people\/behind\?(.+)$/

/** Whether an address is the list of the persons behind a number. Its further pages are not. */
export const isNumberAddress = (address: string): boolean =>
  behindAddress.test(address) && !/[?&]page=/.test(address)

/** The parts of such an address: the project, the text of the query and the point as JSON. */
export function numberAddressParts(address: string) {
  const [, slug, search] = behindAddress.exec(address) ?? []
  if (slug === undefined || search === undefined) return undefined
  const given = new URLSearchParams(search)
  return { slug, q: given.get('question') ?? '', point: given.get('point') ?? '' }
}
