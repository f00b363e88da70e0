'use client'

import { useRouter } from 'next/navigation'
import { Select } from '#ui/form/Select'

interface GoalChoiceProps {
  value: string
  options: readonly { value: string; label: string; href: string }[]
}

/** Each goal has an address. */
export function GoalChoice({ value, options }: GoalChoiceProps) {
  const router = useRouter()
  return (
    <Select
      fit
      aria-label="Goal"
      options={options}
      value={value}
      onChange={(next) => {
        const href = options.find((option) => option.value === next)?.href
        if (href !== undefined) router.replace(href, { scroll: false })
      }}
    />
  )
}
