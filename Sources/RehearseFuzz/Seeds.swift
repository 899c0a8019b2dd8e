import Contracts

/// Fixtures that are right, to be bent: no person of a scenario loads one.
enum Seeds {
  static func commands(of domain: String) -> [(name: String, parameters: JSON)] {
    (texts[domain] ?? []).map { name, text in
      guard let parameters = JSON(parsing: text) else {
        preconditionFailure("the seed of \(domain).\(name) is no JSON")
      }
      return (name, parameters)
    }
  }

  private static let texts: [String: [(String, String)]] = [
    "kantine-koning": [
      (
        "load",
        """
        {"tenants": [{"slug": "agovv", "name": "AGOVV", "club_logo_url": "https://example.org/a.png",
           "enrollment_open": true, "enrollment_message": ""}],
         "teams": [{"tenant_slug": "agovv", "id": "t-1", "code": "JO11-3", "naam": "JO11-3"},
           {"tenant_slug": "agovv", "id": "t-2", "code": "MO15-1", "naam": "MO15-1"}],
         "managers": [{"tenant_slug": "agovv", "email": "m@example.org", "team_codes": ["JO11-3"]}],
         "diensten": [{"id": "d-1", "tenant_slug": "agovv", "team": "JO11-3",
           "start_tijd": "2026-03-28T09:00:00Z", "eind_tijd": "2026-03-28T12:00:00Z",
           "minimum_bemanning": 2, "locatie_naam": "Kantine", "dienst_type": {"naam": "Bar", "icon": "cup"},
           "aanmeldingen": ["Fatima"]}],
         "enrollments": [{"device_id": "e-1", "tenant_slug": "agovv", "role": "manager",
           "team_codes": ["JO11-3"], "team_manager_email": "m@example.org",
           "hardware_identifier": "phone-1", "apns_device_token": "aa11", "build_environment": "production",
           "enrolled_at": "2026-03-01T09:00:00Z"}]}
        """
      ),
      (
        "scheduleDienst",
        """
        {"id": "d-2", "tenant": "agovv", "team": "t-2", "start_tijd": "2026-03-22T09:00:00Z",
         "eind_tijd": "2026-03-22T12:00:00Z", "minimum_bemanning": 3}
        """
      ),
    ],
    "mimi-supply": [
      ("loadSampleWorld", "{}"),
      (
        "load",
        """
        {"users": [{"userRecordName": "user-a", "appleUserID": "apple-a", "role": "customer",
           "fields": {"fullName": "Anna"}},
           {"userRecordName": "user-p", "role": "partner", "fields": {}},
           {"userRecordName": "user-d", "role": "driver", "fields": {}}],
         "sessions": [{"ckWebAuthToken": "session-a", "userRecordName": "user-a", "deviceID": "device-a",
           "expiresAt": 1805605200000},
           {"ckWebAuthToken": "session-p", "userRecordName": "user-p", "deviceID": "device-p"}],
         "records": [{"recordName": "partner-a", "recordType": "Partner", "createdBy": "user-p",
           "fields": {"name": "Laden", "category": "grocery", "description": "", "street": "Weg 1",
             "city": "Berlin", "state": "Berlin", "postalCode": "10117", "country": "DE",
             "latitude": 52.52, "longitude": 13.405, "phoneNumber": "+49 30 555001",
             "email": "p@example.com", "isVerified": 1, "isActive": 1, "deliveryRadius": 5.0,
             "minimumOrderAmount": 1000, "estimatedDeliveryTime": 30, "openingHours": "{}"}},
           {"recordName": "product-a", "recordType": "Product", "createdBy": "user-p",
            "fields": {"partnerId": "partner-a", "name": "Brot", "description": "", "priceCents": 350,
              "category": "bakery", "isAvailable": 1, "stockQuantity": 10}}]}
        """
      ),
    ],
  ]
}
