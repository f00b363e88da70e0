import type { Survey } from './survey'

/** Shows a survey at this path of any host, whatever its query is. */
export const targetingOfPage = (path: string): Pick<Survey['targeting'], 'url'> => {
  const pattern = path.replace(/\/$/, '').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return { url: { match: 'regex', value: String.raw`^https?://[^/?#]+${pattern}/?(?:[?#].*)?$` } }
}
