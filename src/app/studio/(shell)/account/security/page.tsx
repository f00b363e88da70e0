export { metadata, SecurityPage as default } from '#studio/account/SecurityPage'
