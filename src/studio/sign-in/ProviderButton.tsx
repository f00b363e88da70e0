'use client'

import { LogIn } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { paths } from '#studio/paths'

/** Goes to the provider. It is not a link, because prefetching it would begin a sign-in. */
export function ProviderButton({ to, name, isOnly }: { to: string; name: string; isOnly: boolean }) {
  return (
    <div className={isOnly ? '' : 'mb-5 border-b border-line pb-5'}>
      <Button
        size="lg"
        wide
        variant={isOnly ? 'primary' : 'secondary'}
        icon={<Icon of={LogIn} />}
        onClick={() => location.assign(paths.oidcStart(to))}
      >
        Sign in with {name}
      </Button>
    </div>
  )
}
