import { CircleAlert } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import { Icon } from '../../Icon'

export const ErrorLine = ({ children, ...props }: ComponentPropsWithRef<'div'>) => (
  <div {...props} className="flex gap-1.5 text-xs text-danger-ink">
    <Icon of={CircleAlert} size="sm" className="mt-px" />
    <span>{children}</span>
  </div>
)
