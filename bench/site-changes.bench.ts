import { devChanges } from './dev-changes'
import { report } from './report'
import { siteChanges } from './site-changes'

report(
  'site-changes',
  'Changes of a site',
  [...(await siteChanges()), await devChanges()],
  [
    'The files are in a folder (TILTH_SITE), five kilobytes each. Both the front and the pages process notice a change by themselves.',
  ],
)
