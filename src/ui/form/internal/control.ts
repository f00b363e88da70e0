import { clsx } from 'clsx'

/** The style of text fields, selects and comboboxes: one height, one border, one focus ring, one error state. */
const edgeClass = clsx(
  '[&::-webkit-calendar-picker-indicator]:hidden',
  'rounded-md border border-line-strong bg-control text-sm text-ink transition-colors placeholder:text-faint',
  'data-disabled:cursor-not-allowed data-disabled:opacity-60',
  'aria-invalid:border-danger data-invalid:border-danger',
)

const boxClass = clsx(
  edgeClass,
  'h-8 px-2.5 hover:not-focus-visible:not-data-disabled:not-data-invalid:border-faint/60 focus-visible:-outline-offset-1',
)

/** A box that is itself focused, as wide as its Field. */
export const controlClass = `${boxClass} w-full`

/** The same in a toolbar, as wide as what it says. */
export const fitControlClass = `${boxClass} max-w-full font-medium`

/** A box around a bare input: the box shows the focus. */
export const controlGroupClass = clsx(
  edgeClass,
  'flex min-h-8 w-full items-center overflow-hidden has-aria-invalid:border-danger has-data-invalid:border-danger',
  'has-[input:focus-visible]:outline-2 has-[input:focus-visible]:-outline-offset-1 has-[input:focus-visible]:outline-focus',
)

export const bareInputClass =
  'min-w-0 grow self-stretch bg-transparent px-2.5 outline-none placeholder:text-faint'
