import { clsx } from 'clsx'

/** The look and the motion of floating layers: popovers, menus, lists of options. */
export const popupClass = clsx(
  'rounded-lg border border-line-raised bg-raised text-ink shadow-float outline-none',
  'origin-(--transform-origin) transition-[opacity,scale] data-instant:transition-none',
  'data-starting-style:scale-[0.98] data-starting-style:opacity-0 data-ending-style:opacity-0',
)

/** One line to choose, in a menu, a select, a combobox or the command palette. */
export const optionClass = clsx(
  'flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1 text-sm outline-none select-none',
  'data-highlighted:bg-hover data-disabled:text-faint',
)

export const groupLabelClass = 'px-2 pt-2 pb-1 text-2xs font-medium text-faint'

export const backdropClass = clsx(
  'fixed inset-0 z-float bg-scrim transition-opacity',
  'data-starting-style:opacity-0 data-ending-style:opacity-0',
)

/** A layer in the middle of the screen that everything else waits for. */
export const dialogClass = clsx(
  'flex max-h-full w-full flex-col overflow-hidden rounded-lg border border-line-raised bg-raised text-ink shadow-dialog',
  'outline-none transition-[opacity,scale] duration-180',
  'data-starting-style:scale-[0.985] data-starting-style:opacity-0 data-ending-style:opacity-0',
)
