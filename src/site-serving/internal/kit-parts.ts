const closing = '</tilth-fill>'
/** React writes one attribute as here; texts have their angle brackets escaped. */
const opening = /<tilth-fill data-id="([\w-]+)">/g
const hole = /<tilth-hole data-id="([\w-]+)"><\/tilth-hole>/g
const wrapper = /<\/?tilth-kit>/g
/** A layout holds a page, which holds a block, which may hold another. */
const maxDepth = 12

/**
 * Puts the parts that Tilth has rendered into the holes of what the site folder has rendered. Each comes from a process
 * of its own, and React renders no unbalanced HTML, so the two meet here.
 */
export function joinKitParts(html: string): string {
  if (!html.includes('<tilth-kit>')) return html
  const fills = new Map<string, string>()
  let joined = takeFills(html, fills)
  for (let depth = 0; depth < maxDepth && joined.includes('<tilth-hole '); depth++)
    joined = joined.replaceAll(hole, (_, id: string) => fills.get(id) ?? '')
  return joined.replaceAll(wrapper, '')
}

/** Takes the fills out, beginning with those that hold no other. */
function takeFills(html: string, fills: Map<string, string>): string {
  const open: { id: string; parts: string[] }[] = [{ id: '', parts: [] }]
  let at = 0
  for (const { 0: tag, index, 1: id } of html.matchAll(new RegExp(`${opening.source}|${closing}`, 'g'))) {
    open.at(-1)?.parts.push(html.slice(at, index))
    at = index + tag.length
    if (id !== undefined) open.push({ id, parts: [] })
    else {
      const ended = open.length > 1 ? open.pop() : undefined
      if (ended) fills.set(ended.id, ended.parts.join(''))
    }
  }
  return [...(open[0]?.parts ?? []), html.slice(at)].join('')
}
