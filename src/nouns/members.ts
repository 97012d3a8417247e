// What is set alike of whatever rings several people: ring groups and queues.

import type { Words } from "./field.ts";
import { form, yesOrNo } from "./kinds.ts";

export const followsForwards = yesOrNo(
  { tr: "Üyelerin yönlendirmesini izle", en: "Follow members who are forwarded" },
  {
    default: false,
    about: {
      tr: "Yoksa yönlendirilmiş üye bu çağrıyı almaz",
      en: "Otherwise whoever is forwarded does not take the call",
    },
  },
);

export const callForm = (about: Words) =>
  form({ tr: "Çağrı formu", en: "Call form" }, { orNothing: true, column: "form_id", about });
