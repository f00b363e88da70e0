import type { KitPage } from '#site-kit/kit-manifest'

export interface FoundKitPage {
  file: string
  params: Readonly<Record<string, string | string[]>>
}

/** Finds the page at an address. One without parameters precedes the others. */
export function findKitPage(pages: readonly KitPage[], path: string): FoundKitPage | undefined {
  const exact = pages.find(({ address }) => address === path)
  if (exact) return { file: exact.file, params: {} }
  for (const { address, file } of pages) {
    const params = address.includes('[') ? paramsOf(address, path) : undefined
    if (params) return { file, params }
  }
  return undefined
}

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
