import type { CodeSuggestion } from '../code'
import { optionClass, popupClass } from '../../overlay/internal/floating'

/** The completions of a word, below it. The field keeps the focus and says which one is selected. */
export function SuggestionList({
  id,
  suggestions,
  at,
  place,
  onChoose,
}: {
  id: string
  suggestions: readonly CodeSuggestion[]
  at: number
  place: { left: number; top: number }
  onChoose: (index: number) => void
}) {
  return (
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select would take the focus from the field
      role="listbox"
      aria-label="Suggestions"
      className={`absolute z-float w-72 max-w-full p-1 ${popupClass}`}
      style={{ left: `max(0px, min(${place.left}px, 100% - 18rem))`, top: place.top }}
    >
      {suggestions.map(({ text, about }, index) => (
        // the field handles the keys
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={text}
          id={`${id}-${index}`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          data-highlighted={index === at ? '' : undefined}
          className={optionClass}
          // a press would take the focus from the field
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          <span className="min-w-0 truncate font-mono text-xs">{text}</span>
          <span className="ml-auto min-w-0 truncate text-2xs text-faint">{about}</span>
        </div>
      ))}
    </div>
  )
}
