// What may be set of signing in by the exchange's own provider (OpenID Connect).

import { noun } from "./field.ts";
import { choice, email, secret, text, url, words, yesOrNo } from "./kinds.ts";
import { roleChoices } from "./role.ts";

const provider = { tr: "Sağlayıcı", en: "Provider" };
const people = { tr: "Hesaplar ve roller", en: "Accounts and roles" };
const passwords = { tr: "Parolalar", en: "Passwords" };

export const singleSignOn = noun({
  title: "Single sign-on",
  command: "santral sso set",
  table: "single_sign_on",
  knownBy: "id",
  fields: {
    issuer: url(
      { tr: "Sağlayıcının adresi (issuer)", en: "Issuer" },
      {
        required: true,
        under: provider,
        about: {
          tr: "https ile başlar; altında /.well-known/openid-configuration bulunur",
          en: "Begins with https; /.well-known/openid-configuration is found below it",
        },
      },
    ),
    client_id: text({ tr: "İstemci kimliği", en: "Client ID" }, { required: true, longest: 255, under: provider }),
    client_secret: secret(
      { tr: "İstemci parolası", en: "Client secret" },
      {
        orNothing: true,
        under: provider,
        about: { tr: "Mühürlü saklanır, bir daha gösterilmez", en: "Kept sealed, never shown again" },
      },
    ),
    label: text(
      { tr: "Düğmedeki ad", en: "Name on the button" },
      { default: "", longest: 60, under: provider, about: { tr: "Ör. Şirket hesabı", en: "Such as: company account" } },
    ),
    scopes: text(
      { tr: "Kapsamlar (scope)", en: "Scopes" },
      { default: "openid email profile", longest: 200, under: provider },
    ),
    accounts: choice(
      { tr: "Kimler girebilir", en: "Who may come in" },
      {
        among: {
          linked: { tr: "Yalnızca burada hesabı olanlar", en: "Only who has an account here" },
          made: { tr: "Herkes; hesap ilk girişte açılır", en: "Everybody; accounts are made at the first sign-in" },
        },
        default: "linked",
        under: people,
        about: {
          tr: "Var olan hesap, doğrulanmış e-posta adresiyle bulunur",
          en: "An account that is there is found by its verified e-mail address",
        },
      },
    ),
    domains: words(
      { tr: "E-posta alan adları", en: "E-mail domains" },
      {
        default: [],
        under: people,
        about: { tr: "Boşsa hepsi; ör. example.com", en: "All if empty; such as example.com" },
      },
    ),
    trust_email: yesOrNo(
      { tr: "E-posta adresleri doğrulanmış sayılır", en: "E-mail addresses count as verified" },
      {
        default: false,
        under: people,
        about: {
          tr: "Yalnızca adresleri kullanıcıların değiştiremediği sağlayıcılarda (ör. kendi Entra kiracınız)",
          en: "Only for a provider where users cannot change them (such as your own Entra tenant)",
        },
      },
    ),
    role_claim: text(
      { tr: "Rolün bulunduğu alan (claim)", en: "Claim that holds the role" },
      {
        default: "",
        longest: 200,
        under: people,
        placeholder: "groups",
        about: {
          tr: "Ör. groups veya realm_access.roles; boşsa roller burada verilir",
          en: "Such as groups or realm_access.roles; if empty, roles are given here",
        },
      },
    ),
    roles: words(
      { tr: "Değerden role", en: "Values and their roles" },
      {
        default: [],
        under: people,
        about: {
          tr: "değer:rol, ör. santral-admins:administrator; ilk uyan geçerlidir",
          en: "value:role, as in santral-admins:administrator; the first that fits holds",
        },
      },
    ),
    default_role: choice(
      { tr: "Başka hiçbiri uymazsa", en: "Role if none fits" },
      {
        among: roleChoices,
        orNothing: true,
        under: people,
        about: { tr: "Boşsa giremez", en: "If empty, such a person stays out" },
      },
    ),
    passwords: yesOrNo(
      { tr: "Parolayla da girilebilir", en: "Passwords are accepted as well" },
      { default: true, under: passwords },
    ),
    break_glass: email(
      { tr: "Acil durum hesabı", en: "Break-glass account" },
      {
        orNothing: true,
        under: passwords,
        about: {
          tr: "Parolalar kapalıyken bile parolasıyla giren tek yönetici",
          en: "The one administrator whose password is accepted all the same",
        },
      },
    ),
    active: yesOrNo({ tr: "Etkin", en: "Active" }, { default: true, under: provider }),
  },
});
