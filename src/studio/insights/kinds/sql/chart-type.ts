/** The ways to show the rows of a query. */
export const sqlChartOptions = [
  { value: 'table', label: 'Table' },
  { value: 'line', label: 'Line' },
  { value: 'bar', label: 'Bars' },
] as const
export type SqlChartType = (typeof sqlChartOptions)[number]['value']

export const isSqlChartType = (value: unknown): value is SqlChartType =>
  sqlChartOptions.some((option) => option.value === value)
