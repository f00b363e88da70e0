import { codeOfValues, valueName } from '#events/value-names'
import { CountryFlag } from '#ui/CountryFlag'

/** The value of a property by the name that people know it by. */
export function NamedValue({ property, value }: { property: string; value: string }) {
  if (value === '') return null
  if (codeOfValues(property) !== 'country') return valueName(property, value)
  return (
    <span className="inline-flex items-center gap-1.5">
      <CountryFlag country={value} />
      {valueName(property, value)}
    </span>
  )
}
