import { Lock } from 'lucide-react'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { Panel } from '#ui/page/Panel'

/** In the place of what this role may not see. */
export function NotAllowed({ why }: { why: string }) {
  return (
    <Panel>
      <EmptyMessage
        icon={<Icon of={Lock} size="lg" />}
        title="Your role has no access to this page"
        body={why}
      />
    </Panel>
  )
}
