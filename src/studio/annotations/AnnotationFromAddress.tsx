'use client'

import type { ComponentProps } from 'react'
import { useAddress } from '#studio/parts/use-address'
import { AnnotationDialog } from './AnnotationDialog'

type AnnotationFromAddressProps = Omit<
  ComponentProps<typeof AnnotationDialog>,
  'annotation' | 'open' | 'onClose'
>

/** The dialog that annotates the pressed point of a chart. */
export function AnnotationFromAddress(props: AnnotationFromAddressProps) {
  const { ask } = useAddress()
  return <AnnotationDialog {...props} open onClose={() => ask({ annotate: 'yes' })} />
}
