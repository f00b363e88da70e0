import { clsx } from 'clsx'

/** The style of buttons, and of links that act as buttons. */
export type ButtonStyle = {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'sm' | 'md' | 'lg'
  /** Only an icon inside. */
  square?: boolean
  /** As wide as its container. */
  wide?: boolean
}

const variants = {
  primary: 'bg-accent text-on-accent shadow-edge not-aria-disabled:hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-control text-ink not-aria-disabled:hover:bg-control-hover',
  quiet:
    'text-muted not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-ink data-popup-open:bg-hover data-popup-open:text-ink',
  danger: 'bg-danger text-on-danger shadow-edge not-aria-disabled:hover:bg-danger-hover',
}

const sizes = {
  sm: { box: 'h-7 gap-1.5 text-xs', padding: 'px-2.5', square: 'w-7' },
  md: { box: 'h-8 gap-1.5 text-sm', padding: 'px-3', square: 'w-8' },
  lg: { box: 'h-10 gap-2 text-base', padding: 'px-4', square: 'w-10' },
}

export function buttonClass({ variant = 'secondary', size = 'md', square, wide }: ButtonStyle = {}): string {
  return clsx(
    'relative inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap select-none',
    'transition-[background-color,border-color,color,scale] active:not-aria-disabled:scale-[0.985]',
    'aria-disabled:cursor-not-allowed aria-disabled:not-aria-busy:opacity-50',
    variants[variant],
    sizes[size].box,
    square ? sizes[size].square : sizes[size].padding,
    wide && 'w-full',
    'data-pending:opacity-70 aria-busy:not-aria-disabled:opacity-70',
  )
}
