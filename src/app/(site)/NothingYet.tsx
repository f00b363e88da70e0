import { StatusPage } from '../../ui/StatusPage'

const studio = { address: '/studio', label: 'Open the studio' }

/** A page of the site before its owner has written it. */
export function NothingYet({ title, advice }: { title: string; advice: string }) {
  return <StatusPage title={title} advice={advice} wayOn={studio} />
}
