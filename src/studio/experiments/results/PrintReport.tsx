'use client'

import { Printer } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'

/** Prints the page without what is only for the screen. */
export const PrintReport = () => (
  <Button size="sm" icon={<Icon of={Printer} />} onClick={() => window.print()}>
    Print report
  </Button>
)
