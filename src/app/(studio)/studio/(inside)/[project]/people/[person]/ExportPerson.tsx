import { Download } from 'lucide-react'
import { Icon } from '../../../../../../../ui/Icon'
import { pressClass } from '../../../../../../../ui/press'
import { paths } from '../../../../../../paths'

/** A plain link: one that is fetched before it is pressed would be an export that nobody asked for. */
export const ExportPerson = ({ slug, person }: { slug: string; person: string }) => (
  <a href={paths.personExport(slug, person)} download className={pressClass({})}>
    <Icon of={Download} /> Export
  </a>
)
