'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Button } from '../../Button'
import type { DialogLayerProps } from '../Dialog'
import { backdropClass, dialogClass } from './floating'
import { Icon } from '../../Icon'

const widths = { xs: 'max-w-xs', sm: 'max-w-sm', md: 'max-w-lg', lg: 'max-w-2xl' }

const edgeClass =
  'flex h-full w-full flex-col border-line-raised bg-raised text-ink shadow-dialog outline-none transition-[translate] duration-180'

const places = {
  center: dialogClass,
  left: `${edgeClass} border-r data-starting-style:-translate-x-full data-ending-style:-translate-x-full`,
  right: `${edgeClass} border-l data-starting-style:translate-x-full data-ending-style:translate-x-full`,
}

const viewports = {
  center: 'grid place-items-center p-4',
  left: 'flex justify-start',
  right: 'flex justify-end',
}

/** The layer of a dialog. */
export function DialogLayer({
  open,
  onOpenChange,
  size = 'md',
  place = 'center',
  ...parts
}: DialogLayerProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Viewport className={clsx('fixed inset-0 z-float', viewports[place])}>
          <Base.Popup
            initialFocus={parts.initialFocus}
            finalFocus={parts.finalFocus}
            className={clsx('relative', places[place], widths[size])}
          >
            <Inside {...parts} beginsWithClose={place === 'left'} />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

function Inside({
  title,
  titleHidden,
  description,
  children,
  footer,
  beginsWithClose,
}: Omit<DialogLayerProps, 'open' | 'onOpenChange' | 'place' | 'size'> & { beginsWithClose: boolean }) {
  return (
    <>
      {beginsWithClose && <CloseButton />}
      <header className={titleHidden ? 'sr-only' : 'px-5 pt-4.5 pr-12 pb-3'}>
        <Base.Title className="text-lg font-semibold text-balance">{title}</Base.Title>
        {description && <Base.Description className="mt-0.5 text-muted">{description}</Base.Description>}
      </header>
      {children && (
        <div className={clsx('min-h-0 grow overflow-y-auto px-5 pb-5', titleHidden ? 'pt-5' : 'pt-1')}>
          {children}
        </div>
      )}
      {footer && (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3.5">
          {footer}
        </footer>
      )}
      {/* last, so that focus begins at the first field and not here; a list of links is read from its top */}
      {!beginsWithClose && <CloseButton />}
    </>
  )
}

/** Has no tooltip, which Escape would close first. */
const CloseButton = () => (
  <span className="absolute top-3 right-3 z-1">
    <Base.Close render={<Button variant="quiet" square aria-label="Close" icon={<Icon of={X} />} />} />
  </span>
)
