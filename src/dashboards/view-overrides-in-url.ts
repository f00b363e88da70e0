import { type Dashboard, type ViewOverrides, viewOverrides } from './dashboard'

/** The query parameters of a dashboard's URL. */
export type ViewQuery = Record<string, string | string[] | undefined>

/** Returns the dashboard's overrides, replaced by those of the URL. Invalid parameters are ignored. */
export function viewOverridesFrom({ look: own }: Pick<Dashboard, 'look'>, query: ViewQuery): ViewOverrides {
  const requested = {
    period: textOf(query.period),
    compare: textOf(query.compare),
    filter: filterOf(textOf(query.filter)),
    refreshMinutes: query.refresh === undefined ? undefined : Number(query.refresh),
  }
  return Object.entries(requested).reduce<ViewOverrides>((overrides, [name, value]) => {
    if (value === undefined) return overrides
    const parsed = viewOverrides.safeParse({
      ...overrides,
      [name]: isCleared(name, value) ? undefined : value,
    })
    return parsed.success ? parsed.data : overrides
  }, own)
}

const textOf = (parameter: string | string[] | undefined): string | undefined =>
  typeof parameter === 'string' && parameter !== '' ? parameter : undefined

/** Whether the URL clears an override of the dashboard. */
const isCleared = (name: string, value: unknown): boolean => value === (name === 'filter' ? 'none' : 'own')

function filterOf(text: string | undefined): unknown {
  if (text === undefined || text === 'none') return text
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
