import { z } from 'zod'
import type { Filter } from '#filters/filter'
import type { Outcome } from '#projects/problems'
import { refused, type UmamiCall, type UmamiEndpoint, type UmamiOutcome } from './endpoint'
import { filterFrom, isFilterName } from './filters'
import { rangeFrom, rangeParameters, timeZoneIn, type UmamiRange } from './periods'
import { selectionOf } from './requests'

const object = z.record(z.string(), z.unknown())

/** The parts of a report that all kinds have. Version 2 has them beside the range, version 3 in `parameters`. */
export interface UmamiReport {
  parameters: Readonly<Record<string, unknown>>
  range: UmamiRange
  period: string
  filter: Filter | undefined
  timeZone: string
  isLocal: boolean
}

function reportOf({ input, version }: UmamiCall): Outcome<UmamiReport> {
  if (typeof input['websiteId'] !== 'string') return refused('Name the websiteId.', 'websiteId')
  const parameters = object.safeParse(input['parameters'] ?? input).data
  const dates = object.safeParse(input['dateRange'] ?? parameters ?? {}).data
  if (!parameters || !dates) return refused('Give the parameters of the report as an object.', 'parameters')
  const read = rangeFrom(dates)
  if (!read.done) return read
  const filtered = filtersIn(input['filters'])
  if (!filtered.done) return filtered
  const zone = timeZoneIn(parameters['timezone'] ?? dates['timezone'])
  if (!zone.done) return zone
  const { range, period } = read
  return {
    done: true,
    parameters,
    range,
    period,
    filter: filtered.filter,
    timeZone: zone.timeZone,
    isLocal: zone.isNamed || version === 2,
  }
}

function filtersIn(given: unknown = {}): Outcome<{ filter: Filter | undefined }> {
  const filters = object.safeParse(given).data
  if (!filters) return refused('Give the filters as an object of names and values.', 'filters')
  const unknown = Object.keys(filters).find((name) => !isFilterName(name))
  if (unknown !== undefined) return refused(`Tilth does not know the filter "${unknown}".`, unknown)
  return filterFrom(Object.entries(filters))
}

type ReportAnswer = (call: UmamiCall, report: UmamiReport) => Promise<UmamiOutcome>

/** A report as versions before 3.3 ask for it. */
export const posted = (name: string, answer: ReportAnswer): UmamiEndpoint => ({
  method: 'POST',
  path: `/reports/${name}`,
  handle: async (call) => {
    const report = reportOf(call)
    return report.done ? await answer(call, report) : report
  },
})

/** A report as it is asked for since version 3.3. */
export const asked = (path: string, query: readonly string[], answer: ReportAnswer): UmamiEndpoint => ({
  method: 'GET',
  path: `/websites/{website}/${path}`,
  query: [...rangeParameters, ...query],
  takesFilters: true,
  handle: async (call) => {
    const selection = selectionOf(call)
    if (!selection.done) return selection
    const zone = timeZoneIn(call.query.get('timezone'))
    if (!zone.done) return zone
    const { timeZone, isNamed } = zone
    const parameters = parametersIn(call.query)
    if (!parameters) return refused('Give the steps as a list in JSON.', 'steps')
    return await answer(call, { ...selection, parameters, timeZone, isLocal: isNamed || call.version === 2 })
  },
})

/** The steps of a funnel are JSON. */
function parametersIn(query: URLSearchParams): Record<string, unknown> | undefined {
  const given: Record<string, unknown> = Object.fromEntries(query)
  const steps = query.get('steps')
  if (steps === null) return given
  try {
    return { ...given, steps: JSON.parse(steps) as unknown }
  } catch {
    return undefined
  }
}
