/** The number of open tags at the deepest place, at most: a tag that is not closed counts as open. */
export function nestingOf(html: string): number {
  let [depth, most] = [0, 0]
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z\d]*)/gi)) {
    if (withoutContent.has(name.toLowerCase())) continue
    depth = Math.max(0, depth + (slash === '/' ? -1 : 1))
    most = Math.max(most, depth)
  }
  return most
}

/** Elements that need no closing tag. */
const withoutContent = new Set(
  'area base br col embed hr img input link meta p li source track wbr'.split(' '),
)
