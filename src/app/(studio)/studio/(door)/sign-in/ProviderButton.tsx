'use client'

import { LogIn } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { paths } from '#app/paths'

/** Leaves for the provider. Not a link: what is behind it begins a sign-in, and must not be fetched ahead. */
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
