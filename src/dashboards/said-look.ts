import { type Dashboard, type Look, look } from './dashboard'

/** What an address says of how a dashboard is looked at. */
export type SaidLook = Record<string, string | string[] | undefined>

/** The dashboard's own look, with what was said in its place. What makes no sense is not asked. */
export function saidLook({ look: kept }: Pick<Dashboard, 'look'>, said: SaidLook): Look {
  const asked = {
    period: textOf(said.period),
    compare: textOf(said.compare),
    filter: filterOf(textOf(said.filter)),
    refreshMinutes: said.refresh === undefined ? undefined : Number(said.refresh),
  }
  return Object.entries(asked).reduce<Look>((so, [name, value]) => {
    if (value === undefined) return so
    const read = look.safeParse({ ...so, [name]: isLeft(name, value) ? undefined : value })
    return read.success ? read.data : so
  }, kept)
}

const textOf = (said: string | string[] | undefined): string | undefined =>
  typeof said === 'string' && said !== '' ? said : undefined

/** Left to the cards, although the dashboard itself says something else. */
const isLeft = (name: string, value: unknown): boolean => value === (name === 'filter' ? 'none' : 'own')

function filterOf(text: string | undefined): unknown {
  if (text === undefined || text === 'none') return text
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
