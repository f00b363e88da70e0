import type { InputProblem } from '#projects/problems'
import { FailedMessage } from '#ui/page/FailedMessage'

/** Shows why a query could not be answered. */
export const NotAnswered = ({ problems }: { problems: readonly InputProblem[] }) => (
  <FailedMessage
    title="The numbers could not be loaded"
    body={problems.map(({ message }) => message).join(' ')}
  />
)
