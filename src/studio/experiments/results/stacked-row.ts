/**
 * The classes of a table whose rows are stacked where it is narrow: the name with the reading beside it, then the value
 * with its sureness, the difference and the interval. A wide table has a column for each.
 */
export const stacked = {
  table: 'w-full border-collapse text-sm @max-3xl/table:block',
  head: '@max-3xl/table:hidden',
  body: 'border-b border-line last:border-0 @max-3xl/table:block @max-3xl/table:pb-1',
  row: '@max-3xl/table:grid @max-3xl/table:grid-cols-[minmax(0,1fr)_auto] @max-3xl/table:*:py-1',
  /** A cell that is as wide as the row. */
  wide: '@max-3xl/table:col-span-2',
  hidden: '@max-3xl/table:hidden',
  name: '@max-3xl/table:order-1',
  reading: '@max-3xl/table:order-2 @max-3xl/table:justify-self-end',
  value: '@max-3xl/table:order-3',
  sureness: '@max-3xl/table:order-4 @max-3xl/table:col-start-2 @max-3xl/table:text-right',
  difference: '@max-3xl/table:order-5 @max-3xl/table:col-span-2',
  interval: '@max-3xl/table:order-6 @max-3xl/table:col-span-2 @max-3xl/table:pl-7!',
  /** Repeats what the head of a wide table says. */
  label: 'text-xs text-muted @3xl/table:hidden',
} as const
