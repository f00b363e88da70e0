export { metadata, AccountPage as default } from '#studio/account/AccountPage'
