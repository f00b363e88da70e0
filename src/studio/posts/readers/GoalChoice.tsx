'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { Select } from '#ui/form/Select'

interface GoalChoiceProps {
  value: string
  options: readonly { value: string; label: string; href: string }[]
}

/** Each goal has an address. */
export function GoalChoice({ value: answered, options }: GoalChoiceProps) {
  const hrefOf = (goal: string) => options.find(({ value }) => value === goal)?.href
  const [{ value }, ask] = useAddressParameters({ value: answered }, (next) => hrefOf(next.value) ?? '', {
    scroll: false,
  })
  return (
    <Select
      fit
      aria-label="Goal"
      options={options}
      value={value}
      onChange={(next) => hrefOf(next) !== undefined && ask({ value: next })}
    />
  )
}
