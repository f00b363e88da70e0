export { metadata, SetupPage as default } from '#studio/sign-in/SetupPage'
