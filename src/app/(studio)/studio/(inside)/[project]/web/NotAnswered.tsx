import type { Problem } from '../../../../../../projects/problems'
import { FailedMessage } from '../../../../../../ui/FailedMessage'

/** Why there is no answer, in the words of whoever could not give it. */
export const NotAnswered = ({ problems }: { problems: readonly Problem[] }) => (
  <FailedMessage title="This could not be answered" body={problems.map(({ message }) => message).join(' ')} />
)
