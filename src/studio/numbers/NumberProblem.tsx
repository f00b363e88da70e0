import { Notice } from '#ui/page/Notice'

/** Says above a form why it is not filled in for the people of a number. */
export const NumberProblem = ({ problems }: { problems: readonly { message: string }[] }) => (
  <Notice tone="warning" title="The people behind this number are not available">
    {problems.map(({ message }) => message).join(' ')}
  </Notice>
)
