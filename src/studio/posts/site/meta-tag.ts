import type { SiteSettings } from '#posts/site'

export type MetaTag = SiteSettings['metaTags'][number]

/** The name and the content of a whole meta element, as search engines give them out to be pasted. */
export function metaTagIn(text: string): MetaTag | undefined {
  const element = /^\s*<meta\s([^>]*?)\/?>\s*$/i.exec(text)?.[1]
  if (element === undefined) return undefined
  const attribute = (name: string): string | undefined => {
    const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(element)
    return found?.[1] ?? found?.[2]
  }
  const [name, content] = [attribute('name'), attribute('content')]
  return name && content ? { name, content } : undefined
}
