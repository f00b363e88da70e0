import { EmptyMessage } from '#ui/page/EmptyMessage'

/** The empty state of a chart: a likely reason, and what to try. */
export function NothingHappened({
  title = 'No data in this period',
  body = 'Try a longer date range, fewer filters or another event.',
}: {
  title?: string
  body?: string
}) {
  return <EmptyMessage title={title} body={body} />
}
