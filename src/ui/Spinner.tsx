const sizes = { sm: 'size-3.5', md: 'size-4', lg: 'size-6' }

/** A sign of waiting. Silent without a label: then the surrounding element says so, as with `aria-busy`. */
export function Spinner({ size = 'md', label }: { size?: keyof typeof sizes; label?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      className={`${sizes[size]} shrink-0 animate-spin`}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeWidth="1.75" opacity="0.25" />
      <path
        d="M14.25 8A6.25 6.25 0 0 0 8 1.75"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
      />
    </svg>
  )
}
