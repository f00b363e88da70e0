import { EmptyMessage } from '../ui/EmptyMessage'

/** Where an answer has nothing to draw: why that may be, and what to try. */
export function NothingHappened({
  title = 'Nothing happened in this period',
  body = 'Try a longer period, fewer conditions, or another event.',
}: {
  title?: string
  body?: string
}) {
  return <EmptyMessage title={title} body={body} />
}
