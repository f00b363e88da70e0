import { ratingValues } from './flow'
import { fieldName } from './form-fields'
import type { RatingQuestion } from './question'

/** One mark for each value of a scale: a number, a star, a face or a thumb. */
export function RatingMarks({ question, answer }: { question: RatingQuestion; answer: unknown }) {
  const { display, scale, lowerLabel, upperLabel, isRequired } = question
  const values = ratingValues(scale)
  return (
    <>
      <div className={`scale of-${values.length} ${displayClass[display]}`}>
        {values.map((value) => (
          <label key={value} className="mark">
            <input
              type="radio"
              name={fieldName(question)}
              value={value}
              defaultChecked={answer === value}
              required={isRequired}
              aria-label={markLabel(question, value)}
            />
            <Mark question={question} value={value} />
          </label>
        ))}
      </div>
      {(lowerLabel || upperLabel) && (
        <div className="ends" aria-hidden>
          <span>{lowerLabel}</span>
          <span>{upperLabel}</span>
        </div>
      )}
    </>
  )
}

const displayClass = { number: 'numbers', stars: 'icons stars', emoji: 'icons faces' }

/** The labels of the ends belong to the first and the last value; thumbs need none. */
function markLabel({ display, scale, lowerLabel, upperLabel }: RatingQuestion, value: number): string {
  if (display === 'emoji' && scale === 2) return thumbLabels[value] ?? String(value)
  const values = ratingValues(scale)
  const end = value === values[0] ? lowerLabel : value === values.at(-1) ? upperLabel : ''
  const name = display === 'stars' ? `${value} / ${scale}` : String(value)
  return end ? `${name}, ${end}` : name
}

const thumbLabels: Record<number, string> = { 1: '👍', 2: '👎' }

function Mark({ question: { display, scale }, value }: { question: RatingQuestion; value: number }) {
  if (display === 'stars')
    return <Drawing path="M12 3l2.7 5.6 6.1.8-4.5 4.2 1.1 6.1L12 16.8l-5.4 2.9 1.1-6.1L3.2 9.4l6.1-.8z" />
  if (display === 'number') return <span aria-hidden>{value}</span>
  if (scale === 2) return <Drawing path={value === 1 ? thumbUp : thumbDown} />
  return <Face mood={(value - 1) / Math.max(1, scale - 1)} />
}

const thumbUp = 'M7 11v9H4v-9zM7 11l4-8c1.5 0 2.5 1 2.5 2.5V9h5a2 2 0 0 1 2 2.3l-1.1 7a2 2 0 0 1-2 1.7H7'
const thumbDown = 'M7 13V4H4v9zM7 13l4 8c1.5 0 2.5-1 2.5-2.5V15h5a2 2 0 0 0 2-2.3l-1.1-7A2 2 0 0 0 17.400 4H7'

const Drawing = ({ path }: { path: string }) => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinejoin="round"
    aria-hidden
  >
    <path d={path} />
  </svg>
)

/** A face whose mouth bends with the mood, from 0 to 1. */
function Face({ mood }: { mood: number }) {
  const bend = 15.5 + (mood - 0.5) * 6
  const corners = 15.5 - (mood - 0.5) * 2
  return (
    <Drawing
      path={`M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M9 9.5v.8M15 9.5v.8M8 ${corners}Q12 ${bend} 16 ${corners}`}
    />
  )
}
