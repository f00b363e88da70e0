import { Children, isValidElement, type ReactElement, type ReactNode } from 'react'

export type FlagValue = boolean | string

export interface VariantProps {
  /** The flag's key; inside an `Experiment` it is the experiment's. */
  of?: string
  /** The variant's key, or false for visitors without the flag; the default is any variant. */
  is?: FlagValue
  children?: ReactNode
}

export interface ExperimentProps {
  of: string
  children?: ReactNode
}

const isShown = (is: FlagValue, value: FlagValue): boolean => (is === true ? value !== false : value === is)

/** The attributes let the site's script report when a value came into view. */
export const flagElement = (of: string, value: FlagValue, children: ReactNode) => (
  <div data-flag={of} data-variant={String(value)}>
    {children}
  </div>
)

/** The two components on the server and in browsers, which differ only in where decisions come from. */
export function variantsWith(useFlag: (key: string) => FlagValue) {
  function Variant({ of = '', is = true, children }: VariantProps) {
    const value = useFlag(of)
    return isShown(is, value) ? flagElement(of, value, children) : null
  }

  /** Shows the `Variant` that was decided; a visitor outside the experiment sees the first. */
  function Experiment({ of, children }: ExperimentProps) {
    const value = useFlag(of)
    const variants = variantsIn(children)
    const chosen = variants.find(({ props: { is = true } }) => isShown(is, value)) ?? variants[0]
    return chosen ? flagElement(of, value, chosen.props.children) : null
  }

  const variantsIn = (children: ReactNode): ReactElement<VariantProps>[] =>
    Children.toArray(children).filter(
      (child): child is ReactElement<VariantProps> => isValidElement(child) && child.type === Variant,
    )

  return { Variant, Experiment }
}
