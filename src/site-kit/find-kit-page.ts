import type { KitPage } from './kit-manifest'

export interface FoundKitPage {
  file: string
  params: Readonly<Record<string, string | string[]>>
}

/** Finds the page at an address: of several, the one whose first parts are written out. */
export function findKitPage(pages: readonly KitPage[], path: string): FoundKitPage | undefined {
  const exact = pages.find(({ address }) => address === path)
  if (exact) return { file: exact.file, params: {} }
  const [found] = pages
    .flatMap(({ address, file }) => {
      const params = address.includes('[') ? paramsOf(address, path) : undefined
      return params ? [{ order: orderOf(address), found: { file, params } }] : []
    })
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
  return found?.found
}

/** Sorts a written part before a parameter, and that before the rest of an address. */
const orderOf = (address: string): string =>
  address
    .split('/')
    .map((part) => (part.startsWith('[...') ? 2 : part.startsWith('[') ? 1 : 0))
    .join('')

function paramsOf(address: string, path: string): FoundKitPage['params'] | undefined {
  const params: Record<string, string | string[]> = {}
  const parts = path.split('/').slice(1)
  const pattern = address.split('/').slice(1)
  for (const [index, part] of pattern.entries()) {
    const [, isRest, name] = /^\[(\.\.\.)?(\w+)\]$/.exec(part) ?? []
    const value = parts[index]
    if (value === undefined || value === '') return undefined
    if (name === undefined) {
      if (part !== value) return undefined
    } else if (isRest) {
      params[name] = parts.slice(index)
      return params
    } else params[name] = value
  }
  return pattern.length === parts.length ? params : undefined
}
