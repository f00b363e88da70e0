import { Download } from 'lucide-react'
import { Icon } from '#ui/Icon'
import { buttonClass } from '#ui/keyboard/button-style'
import { paths } from '#studio/paths'

/** A plain link: Next would prefetch its own and start an export without a click. */
export const ExportPerson = ({ slug, person }: { slug: string; person: string }) => (
  <a href={paths.personExport(slug, person)} download className={buttonClass({})}>
    <Icon of={Download} /> Export
  </a>
)
