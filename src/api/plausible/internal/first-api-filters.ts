import { failedOutcome, type Outcome } from '#projects/problems'
import { shortened } from './dimensions'

/** The bar between values, unless it is escaped. */
const bar = /(?<!\\)\|/

const unescaped = (text: string): string => text.replaceAll(String.raw`\|`, '|')

/** Converts the filters of Plausible's first API, `visit:browser==Firefox;event:page==/blog**`, to those of the second. */
export function filtersFromText(text: string): Outcome<{ filters: unknown[] }> {
  const filters: unknown[] = []
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    const filter = filterFromText(part.trim())
    if (!filter)
      return failedOutcome(`Invalid filter '${shortened(part)}'. Write it as visit:source==Google.`)
    filters.push(filter)
  }
  return { done: true, filters }
}

function filterFromText(part: string): unknown[] | undefined {
  const [, name = '', sign, value = ''] = /^([^=!]+)(==|!=)(.*)$/s.exec(part) ?? []
  const property = name.trim()
  const values = value.split(bar).map((one) => unescaped(one.trim()))
  if (property === '' || values.includes('')) return undefined
  const isNegated = sign === '!='
  // the name of a goal may have an asterisk of its own
  if (property !== 'event:goal' && value.includes('*'))
    return [isNegated ? 'matches_wildcard_not' : 'matches_wildcard', property, values]
  return [isNegated ? 'is_not' : 'is', property, values]
}
