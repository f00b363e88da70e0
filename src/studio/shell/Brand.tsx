/** Furrows: what tilth is. */
export function LogoGlyph({ size = 16 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="4 6 24 20" aria-hidden className="shrink-0">
      <path
        d="M7 12c5.5-4 12.5-4 18 0M7 18c5.5-4 12.5-4 18 0M7 24c5.5-4 12.5-4 18 0"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.75"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** Our sign, as in app/icon.svg. */
export function Logo() {
  return (
    <span className="grid size-6 shrink-0 place-items-center rounded-md bg-accent text-on-accent">
      <LogoGlyph />
    </span>
  )
}
